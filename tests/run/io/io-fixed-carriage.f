C Output to unit 6, *, and PRINT go to the same place in order.
      PROGRAM ORDER
      INTEGER I
      WRITE (6, *) 'ONE'
      PRINT *, 'TWO'
      WRITE (*, '(1X, A)') 'THREE'
      WRITE (UNIT=6, FMT=10) 'FOUR', (I, I = 1, 3)
   10 FORMAT (' ', A, 3(1X, I2.2))
      WRITE (6, '(A)') 'FIVE'
      PRINT '(1X, A, F6.2)', 'SIX', 6.0
      END
