// Real words, commonest first within each list: the head of the made vocabulary.

const split = (words: string): readonly string[] => words.trim().split(/\s+/);

/** The commonest English words of conversations about programs, mixed with those of the trade. */
export const englishWords = split(`
  the to and a of in is it for that this with file be on you test now not error code we as are let have all run from so
  should use but I can function if add will an by check there or when which fix do need was line at one new no see
  more value data has user only name type make up server what first they me update way out after read message then
  changes work been because using same how config build its project command where each call just instead also set list
  database key any does path your output tests return before other into version module script into get query index create
  issue time result problem change import write string request two page api some class still without existing field
  table search default model found missing current looks works could implementation response failing case works show
  session object here actually start both already process them than these right look point every log version option
  between remove client commit branch most step passing directory correct means thing much token component folder
  through load cache local handle state add number parse schema event while once again next last done good package
  service method match rule exist empty size limit memory input ran button header move try pass warning env real
  review plan summary currently small part behaviour stream keep find memory print support verify docs single context
  want about rename down over working clean install separate format left node safe merge worker safe deploy thread
  cover back queue lock retry status port long common view sure simple second such text expected well put approach
  migration column row handler route button layout style render token auth login password secret permission role
  webhook invoice payment order customer email template job schedule cron timeout latency metric trace alert dashboard
  container image volume network cluster region bucket upload download stream socket buffer encode decode hash
  signature certificate domain proxy gateway balance replica shard backup restore snapshot rollback release tag
  pipeline runner artifact coverage fixture mock stub assert snapshot benchmark profile leak crash panic stack
  frame pointer allocate compile linker bundle chunk tree lazy async await promise callback generator iterator`);

/** Words of other languages with their accents, so that folding them is exercised. */
export const accentedWords = split(`
  é à où déjà être après très créé problème méthode données réponse modèle requête paramètre système sécurité référence
  für über größe prüfen schlüssel ändern löschen hinzufügen verfügbar möglich können müssen während gemäß ausführen
  año está función código más también después configuración sesión validación búsqueda página índice número
  não você função código configuração versão atualização instalação então está também até serviço padrão`);

/** Russian words in the forms that a text has them in. */
export const russianWords = split(`
  и в не на что я с это как по но они мы для из у же вы так от если или когда файл файла файлы файлов тест тесты тестов ошибка
  ошибки ошибку ошибок код кода функция функции функцию нужно можно сервер сервера сервере запрос запроса запросы
  запросов ответ ответа данные данных база базы базе таблица таблицы пользователь пользователя пользователи настройки
  настроек добавить добавил добавлю исправить исправил исправлен проверить проверил проверка удалить обновить обновил
  версия версии версию ветка ветку коммит сборка сборки проект проекта проекте строка строки строку значение значения
  поле поля тип типы модуль модуля модули ключ ключи ключа путь пути очередь очереди кэш кэша память памяти поток
  потоки сессия сессии сессию поиск поиска индекс индекса индексы сообщение сообщения сообщений страница страницы
  кнопка работает работают падает запускается теперь сейчас потом после перед между ещё уже только также всё все почему
  потому поэтому здесь там где который которая которые новый новая новые нового первый последний другой каждый`);

/** Japanese words; a text strings them together without spaces. */
export const japaneseWords = split(`
  の に は を が と で です ます する した して この その ファイル テスト エラー コード 関数 データベース ユーザー リクエスト サーバー
  設定 戻り値 データ 実行 検索 更新 プロジェクト 問題 使用 キャッシュ ログイン 権限 ページ 状態 実装 対応 メッセージ セッション 索引
  性能 メモリ スレッド キュー デプロイ ログ バージョン ブランチ コミット 修正 追加 確認 削除 変更 依存 型 変数 引数 既定 結果 失敗 成功
  接続 ネットワーク 安全 認証 ください しました ありません なので から まで`);

/** Chinese words; a text strings them together without spaces. */
export const chineseWords = split(`
  的 我们 需要 这个 文件 测试 错误 代码 函数 数据库 用户 请求 可以 修复 添加 检查 服务器 配置 返回 数据 接口 现在 如果 运行
  查询 更新 然后 项目 问题 使用 缓存 登录 权限 页面 组件 状态 实现 支持 消息 会话 搜索 索引 性能 内存 线程 队列 部署 日志
  版本 分支 提交 合并 冲突 依赖 模块 类型 变量 参数 默认 结果 失败 成功 重试 超时 连接 网络 安全 密码 令牌 验证 上传 下载`);
