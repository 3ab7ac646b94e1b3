C     Hollerith constants in DATA of numeric variables and in FORMAT, with quotes and blanks in them.
      PROGRAM MAIN
      INTEGER I, J(2)
      REAL X
      DATA I /4HABCD/, J /4HEF  , 2HIJ/, X /4HR AL/
      PRINT 10, I, J, X
10    FORMAT (1X, A4, 1H:, 2A4, 3H'' , A4, 8H THE END)
      PRINT 20
20    FORMAT (1X, 5HIT'S , 1H,, 2H/), 'DON''T')
      END
