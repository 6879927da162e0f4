import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readTranscript } from '../src/indexing/read-transcript.ts';
import { WordForms } from '../src/text/words.ts';
const root='/var/tmp/recall-homes/v2/medium/.claude';
const files=(readdirSync(root,{recursive:true}) as string[]).filter(f=>f.endsWith('.jsonl')&&!/acompact|aprompt|aside/.test(f)).map(f=>join(root,f));
const forms=new WordForms();let n=0,bytes=0,lines=0;const t=performance.now();const c=process.cpuUsage();
for(const path of files){const sizeBytes=statSync(path).size;bytes+=sizeBytes;
 readTranscript({path,kind:'main',sizeBytes,from:{bytes:0,lines:0,version:null},fingerprint:null},forms,()=>false,b=>{n+=b.messages.length;if(b.isLast)lines+=b.linesRead});}
const u=process.cpuUsage(c);
console.log(files.length,'files',(bytes/1e6).toFixed(0),'MB',lines,'lines',n,'messages',(performance.now()-t).toFixed(0),'ms cpu',((u.user+u.system)/1000).toFixed(0));
