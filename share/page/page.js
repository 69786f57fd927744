document.querySelectorAll('table.sort').forEach(function(t){
 var body=t.tBodies[0];
 function key(r,i){var c=r.cells[i],v=c.getAttribute('data-v');
  return v===null?c.textContent:v===''?NaN:Number(v)}
 Array.from(t.tHead.rows[0].cells).forEach(function(th,i){
  var b=document.createElement('button');b.type='button';
  b.title='sort by this column';
  while(th.firstChild)b.appendChild(th.firstChild);
  th.appendChild(b);
  b.addEventListener('click',function(){
   var up=th.getAttribute('aria-sort')!=='ascending';
   Array.from(t.tHead.rows[0].cells).forEach(function(o){
    o.removeAttribute('aria-sort')});
   th.setAttribute('aria-sort',up?'ascending':'descending');
   Array.from(body.rows).sort(function(x,y){
    var a=key(x,i),c=key(y,i),d;
    if(a!==a)return c!==c?0:1;
    if(c!==c)return -1;
    d=typeof a==='number'?a-c:a.localeCompare(c);
    return up?d:-d
   }).forEach(function(r){body.appendChild(r)})
  })
 })
});
var hidden={};
document.querySelectorAll('.board tbody th').forEach(function(th){
 var run=th.parentNode.getAttribute('data-run'),b=document.createElement('button'),
  drawn=th.querySelector('i');
 b.type='button';b.title='hide or show this run';b.setAttribute('aria-pressed','false');
 while(th.firstChild)b.appendChild(th.firstChild);
 th.appendChild(b);
 b.addEventListener('click',function(){
  hidden[run]=!hidden[run];
  b.setAttribute('aria-pressed',String(hidden[run]));
  document.querySelectorAll('tr[data-run]').forEach(function(r){
   if(r.getAttribute('data-run')===run)r.classList.toggle('off',hidden[run])});
  if(drawn)document.querySelectorAll('.time g[id$="_plot_'+
   (Number(drawn.className.slice(3))+1)+'"]').forEach(function(g){
   g.classList.toggle('off',hidden[run])})
 })
});
function time(s){
 var d=Math.floor(s/86400),h=Math.floor(s%86400/3600),m=Math.floor(s%3600/60);
 return d?d+'d'+h+'h':h?h+'h'+m+'m':m+'m'+Math.floor(s%60)+'s'
}
document.querySelectorAll('section.time').forEach(function(sec){
 var link=sec.querySelector('a[download]'),box=sec.querySelector('.plot'),
  end=Number(sec.getAttribute('data-end')),runs=[],tip,line,lines;
 if(!link||!box)return;
 lines=decodeURIComponent(link.getAttribute('href').replace(/^[^,]*,/,'')).split('\n');
 lines.slice(1).forEach(function(l){
  var m=/^("(?:[^"]|"")*"|[^,]*),([^,]*),([^,]*)/.exec(l),run;
  if(!m)return;
  run=m[1][0]==='"'?m[1].slice(1,-1).replace(/""/g,'"'):m[1];
  if(!runs.length||runs[runs.length-1].run!==run)runs.push({run:run,at:[],v:[]});
  runs[runs.length-1].at.push(Number(m[2]));runs[runs.length-1].v.push(Number(m[3]))
 });
 tip=document.createElement('div');tip.className='tip';tip.hidden=true;
 line=document.createElement('div');line.className='tip-at';line.hidden=true;
 box.appendChild(tip);box.appendChild(line);
 box.addEventListener('mousemove',function(e){
  var svg=box.querySelector('svg').getBoundingClientRect(),
   x=(e.clientX-svg.left)/svg.width,t=(x-.09)/(.97-.09)*end,left;
  tip.hidden=line.hidden=!(t>=0)||t>end;
  if(tip.hidden)return;
  tip.textContent=time(t)+runs.filter(function(r){return!hidden[r.run]}).map(function(r){
   var i=r.at.length-1;
   for(;i;i--)if(!(r.at[i]>t))break;
   return'\n'+r.run+'  '+Number(r.v[i].toPrecision(4))
  }).join('');
  left=e.clientX-box.getBoundingClientRect().left+box.scrollLeft;
  line.style.left=left+'px';
  tip.style.left=(x>.6?left-tip.offsetWidth-12:left+12)+'px'
 });
 box.addEventListener('mouseleave',function(){tip.hidden=line.hidden=true})
});
