C DATA with a nested implied DO whose bound depends on the outer variable.
      PROGRAM DATATR
      INTEGER A(4, 4), I, J
      DATA ((A(I, J), I = 1, J), J = 1, 4) / 10*1 /
      DATA ((A(I, J), I = J + 1, 4), J = 1, 3) / 1*5, 2*6, 3*7 /
      DO 10 I = 1, 4
   10 PRINT *, (A(I, J), J = 1, 4)
      END
