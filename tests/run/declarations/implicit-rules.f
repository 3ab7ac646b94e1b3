C Default implicit typing and IMPLICIT statements.
      PROGRAM IMPL
      IMPLICIT INTEGER (A-C), DOUBLE PRECISION (D), LOGICAL (L)
      IMPLICIT CHARACTER*4 (S), COMPLEX (Z), REAL*8 (W)
      A = 7.9
      D = 1.0D0 / 3.0D0
      L = A .EQ. 7
      S = 'ABCDEF'
      Z = (1.0, -2.0)
      W = 0.1D0
      I = 3.99
      X = 7 / 2
      PRINT *, A, D, L, S
      PRINT *, Z, W, I, X
      END
