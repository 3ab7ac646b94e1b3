C FORMAT statements, with Hollerith, used before and after their text.
      PROGRAM FMTST
      INTEGER I
      REAL X(3)
  100 FORMAT (' ROW', I3, ':', 3F7.2)
      DO 10 I = 1, 3
      X(1) = I
      X(2) = I / 2.0
      X(3) = I * I
   10 WRITE (6, 100) I, X
      WRITE (*, 200)
      WRITE (6, FMT=300) 'ABC', .TRUE., 1.5D0
      PRINT 300, 'WIDER', .FALSE., -2D-3
  200 FORMAT (1X, 5HHELLO, 1X, 'WORLD' / 1X, 'SECOND', T12, 'LINE')
  300 FORMAT (1X, A, L3, 1PD12.3)
      END
