  set yrange [0:108]
  set ytics 50
  set ylabel '%'
  plot '$d'.i using ($1/unit):3 with steps lc rgb blue lw 1 title 'for whole nodes', \
      '$d'.i using ($1/unit):2 with steps lc rgb red lw 1.5 title 'of no use to the mean task'
}
