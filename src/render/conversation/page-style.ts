// The style of the HTML page: on phones and desktops, in light and dark mode.

export const pageStyle = `
:root{
  --paper:#fff;--ink:#1f2328;--soft:#656d76;--line:#e3e6ea;--tint:#f6f8fa;--you:#eef4fd;--you-edge:#c9dcf7;
  --accent:#0b5cad;--claude:#b4532a;--subagent:#7a3e9d;--error:#c0262d;--mark:#ffe58a;--mark-ink:#1f2328;
  --c-key:#a626a4;--c-str:#3b7d23;--c-num:#9a5b00;--c-com:#6b7280;--c-fn:#2456c7;--c-type:#8a5a00;--c-del:#b3261e;
}
@media (prefers-color-scheme:dark){:root{
  --paper:#15181c;--ink:#dfe3e8;--soft:#949ca6;--line:#2b3138;--tint:#1d2126;--you:#182536;--you-edge:#2a4366;
  --accent:#79b4f5;--claude:#e2936b;--subagent:#c79be3;--error:#ff7b7b;--mark:#6b5600;--mark-ink:#fff4c7;
  --c-key:#d2a8ff;--c-str:#9ecb87;--c-num:#e5b567;--c-com:#8b949e;--c-fn:#8ab8ff;--c-type:#e0b96a;--c-del:#ff9a92;
}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0 auto;max-width:48rem;padding:2.5rem 1.25rem 4rem;background:var(--paper);color:var(--ink);
  font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
a{color:var(--accent);text-underline-offset:.15em}
header{border-bottom:1px solid var(--line);padding-bottom:1.5rem;margin-bottom:2rem}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 1rem;letter-spacing:-.01em;text-wrap:balance}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:0;font-size:.875rem;line-height:1.5}
dt{color:var(--soft)}
dd{margin:0;min-width:0}
dd code{background:none;padding:0}
.turn{margin:0 0 1.75rem}
.turn>h2{display:flex;align-items:baseline;gap:.6rem;margin:0 0 .35rem;font-size:.875rem;line-height:1.5;font-weight:400}
.who{font-weight:650;color:var(--claude)}
.person>h2 .who{color:var(--accent)}
.task>h2 .who,.subagent>h2 .who{color:var(--subagent)}
.turn>h2 a,.turn>h2 time{color:var(--soft);text-decoration:none;font-variant-numeric:tabular-nums}
.turn>h2 a{display:inline-flex;gap:.6rem}
.turn>h2 a:hover{color:var(--accent)}
.number{opacity:.65}
.person .said{background:var(--you);border:1px solid var(--you-edge);border-radius:.75rem;padding:.7rem 1rem}
.person .said+.said{margin-top:.5rem}
.said:target,.recap:target{outline:2px solid var(--accent);outline-offset:.35rem;border-radius:.5rem}
.said>:first-child{margin-top:0}
.said>:last-child{margin-bottom:0}
.said+.said{margin-top:1rem}
.typed{white-space:pre-wrap}
.note{color:var(--soft);font-size:.8125rem;margin:0 0 .25rem}
p,ul,ol,blockquote,pre,.scroll{margin:.75rem 0}
ul,ol{padding-left:1.5rem}
li>p{margin:.35rem 0}
li>ul,li>ol{margin:.15rem 0}
h3,h4,h5,h6{margin:1.4rem 0 .5rem;line-height:1.3}
h3{font-size:1.2rem}h4{font-size:1.05rem}h5,h6{font-size:1rem}
blockquote{border-left:3px solid var(--line);padding-left:1rem;color:var(--soft);margin-left:0;margin-right:0}
hr{border:0;border-top:1px solid var(--line);margin:1.5rem 0}
code,.calls,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
code{font-size:.875em;background:var(--tint);border-radius:.3rem;padding:.1em .3em;-webkit-box-decoration-break:clone;
  box-decoration-break:clone}
pre{background:var(--tint);border:1px solid var(--line);border-radius:.6rem;padding:.8rem 1rem;overflow-x:auto;
  font-size:.84375rem;line-height:1.5;overflow-wrap:normal;tab-size:2;position:relative}
pre code{background:none;padding:0;font-size:inherit;border-radius:0}
.person pre,.person code{background:var(--paper)}
.person pre code{background:none}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.9375rem;overflow-wrap:normal}
th,td{border-bottom:1px solid var(--line);padding:.35rem .9rem .35rem 0;text-align:left;vertical-align:top}
th{font-weight:650}
.right{text-align:right}.center{text-align:center}
mark{background:var(--mark);color:var(--mark-ink);border-radius:.2rem;padding:0 .1em}
details{margin:.75rem 0}
summary{cursor:pointer;list-style:none;display:flex;align-items:baseline;gap:.5rem}
summary::-webkit-details-marker{display:none}
summary::before{content:"";flex:none;width:.4rem;height:.4rem;border:solid currentColor;border-width:0 1.5px 1.5px 0;
  transform:translateY(-.1rem) rotate(-45deg);opacity:.7}
details[open]>summary::before{transform:translateY(-.2rem) rotate(45deg)}
summary:focus-visible{outline:2px solid var(--accent);outline-offset:.2rem;border-radius:.3rem}
.calls{color:var(--soft);font-size:.8125rem;line-height:1.5}
.calls summary span{min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.calls[open] summary span{white-space:normal}
.calls ul{margin:.35rem 0 .35rem .2rem;padding:0 0 0 .9rem;list-style:none;border-left:1px solid var(--line)}
.calls .error,.calls li.error{color:var(--error);flex:none}
.calls pre{color:var(--ink);max-height:24rem;overflow-y:auto;margin:.35rem 0 .75rem;white-space:pre-wrap;overflow-wrap:anywhere}
.prompts{font-size:.9375rem;margin-bottom:2rem}
.prompts summary{color:var(--soft)}
.prompts ul{list-style:none;padding-left:.9rem}
.prompts a{color:inherit;text-decoration:none}
.prompts a:hover{color:var(--accent);text-decoration:underline}
.agent-name,details.subagent>summary{font-size:.9375rem;color:var(--subagent)}
details.subagent{border-left:3px solid var(--subagent);padding-left:1rem}
details.subagent[open]>summary{margin-bottom:1rem}
details.subagent .turn:last-child{margin-bottom:.25rem}
small{color:var(--soft);font-size:.8125rem}
.recap{border-block:1px dashed var(--line);padding:.6rem 0;margin:2rem 0;color:var(--soft);font-size:.9375rem}
.gap{display:flex;align-items:center;gap:1rem;color:var(--soft);font-size:.8125rem;margin:2rem 0}
.gap::before,.gap::after{content:"";flex:1;border-top:1px dashed var(--line)}
footer{border-top:1px solid var(--line);margin-top:3rem;padding-top:1rem;color:var(--soft);font-size:.8125rem}
.hljs-comment,.hljs-quote{color:var(--c-com);font-style:italic}
.hljs-keyword,.hljs-selector-tag,.hljs-meta,.hljs-doctag{color:var(--c-key)}
.hljs-string,.hljs-regexp,.hljs-addition,.hljs-selector-attr{color:var(--c-str)}
.hljs-number,.hljs-literal,.hljs-symbol,.hljs-bullet{color:var(--c-num)}
.hljs-title,.hljs-section,.hljs-name,.hljs-selector-id{color:var(--c-fn)}
.hljs-type,.hljs-built_in,.hljs-attr,.hljs-attribute,.hljs-variable,.hljs-selector-class{color:var(--c-type)}
.hljs-deletion{color:var(--c-del)}
@media (max-width:36rem){
  body{padding:1.25rem 1rem 3rem;font-size:1rem}
  h1{font-size:1.35rem}
  dl{font-size:.8125rem;column-gap:.75rem}
  pre{padding:.7rem .8rem;font-size:.8125rem}
  details.subagent{padding-left:.75rem}
}
@media print{body{max-width:none;padding:0}details.calls,nav{display:none}}
`;
