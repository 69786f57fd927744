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
