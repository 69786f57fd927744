  all = m2 + m3 + m4 + m5
  set yrange [0:all * 1.08]
  if (all <= 5) { set ytics 1 } else { set ytics autofreq }
  set ylabel 'evictions'
  w = end / 120.0
  plot '$d'.i using ($1/unit + w/2):(($2+$3+$4+$5)/2.0):($1/unit):($1/unit + w):(0):($2+$3+$4+$5) with boxxyerror fs solid 1 noborder lc rgb red title 'lost', \
      '$d'.i using ($1/unit + w/2):(($2+$3+$4)/2.0):($1/unit):($1/unit + w):(0):($2+$3+$4) with boxxyerror fs solid 1 noborder lc rgb sky title 'timed out', \
      '$d'.i using ($1/unit + w/2):(($2+$3)/2.0):($1/unit):($1/unit + w):(0):($2+$3) with boxxyerror fs solid 1 noborder lc rgb orange title 'reclaimed', \
      '$d'.i using ($1/unit + w/2):($2/2.0):($1/unit):($1/unit + w):(0):2 with boxxyerror fs solid 1 noborder lc rgb blue title 'preempted'
}
