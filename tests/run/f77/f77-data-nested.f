C     DATA with nested implied DO, steps, repeat counts and named constants.
      PROGRAM MAIN
      INTEGER M(4,4), V(10), N
      REAL R(6)
      PARAMETER (N = 4)
      DATA ((M(I,J), I=1,J), J=1,N) /10*1/
      DATA ((M(I,J), I=J+1,4), J=1,3) /3*2, 2*3, 4/
      DATA (V(I), I=1,9,2) /1, 3*3, 5/, (V(I), I=10,2,-2) /5*0/
      DATA R(2), (R(I), I=3,5), R(1), R(6) /2., 3*3., 2*9./
      PRINT '(4I3)', M
      PRINT *, V
      PRINT *, R
      END
