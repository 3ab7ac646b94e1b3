C     Widths of exponents in FORMAT statements, repeated and in groups.
      PROGRAM EXPWID
      CHARACTER*40 LINE
      REAL A(2), B(2)
      WRITE (LINE, 10) 2.34, 2.456E-5
   10 FORMAT (2(E12.4E2, 1X))
      PRINT *, LINE
      READ (LINE, 20) A, B(1)
   20 FORMAT (2 (G12.4 E2, 1X), TL26, 1E12.4E3)
      PRINT 30, A, B(1)
   30 FORMAT (1X, 2G11.4E3, 1X, ES12.3E2)
      END
