  top_y = m2 > m3 ? m2 : m3
  set yrange [0:top_y > 0 ? top_y * 1.08 : 1]
  set ytics autofreq
  set ytics top_y > 60 ? 50 : top_y > 25 ? 20 : top_y > 10 ? 10 : 5
  set ylabel '%'
  plot '$d'.i using ($1/unit):3 with steps lc rgb blue lw 1 title 'partly used nodes', \
      '$d'.i using ($1/unit):2 with steps lc rgb red lw 1.5 title 'scattered free GPUs'
}
