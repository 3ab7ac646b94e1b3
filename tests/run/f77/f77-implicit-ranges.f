C     IMPLICIT with ranges, lengths and DOUBLE PRECISION; declarations that win over it.
      PROGRAM MAIN
      IMPLICIT CHARACTER*4 (C, S-T), DOUBLE PRECISION (D)
      IMPLICIT LOGICAL (L), INTEGER (A-B)
      IMPLICIT COMPLEX (Z)
      REAL LAST
      A = 7.9
      B1 = -2.5
      C = 'CHARACTER'
      D = 1.D0/3
      L = A .GT. 5
      LAST = 2.5
      S1 = 'X'
      T = C//S1
      Z = (1., -1.)
      I = 3.7
      PRINT *, A, B1, C, L, LAST, '[', S1, ']', T
      PRINT '(F12.9,2F5.1,I3)', D, Z, I
      END
