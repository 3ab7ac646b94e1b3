C     Functions of every type, with the type in the header or not, without arguments, and with other names for results.
      PROGRAM MAIN
      DOUBLE PRECISION DF
      LOGICAL LF
      CHARACTER*3 CF
      COMPLEX ZF
      INTEGER NOARG
      PRINT *, IF1(3), RF(2), LF(5), CF('B'), NOARG(), NOARG()
      PRINT '(F6.2,2F6.2)', DF(1.5D0), ZF(2.)
      END
      FUNCTION IF1(K)
      IF1 = K*K
      END
      REAL FUNCTION RF(K)
      RF = K/4.
      END
      DOUBLE PRECISION FUNCTION DF(X)
      DOUBLE PRECISION X
      DF = X + X
      END
      LOGICAL FUNCTION LF(K)
      LF = K .GT. 4
      END
      CHARACTER*3 FUNCTION CF(C)
      CHARACTER C
      CF = 'A'//C//'C'
      END
      COMPLEX FUNCTION ZF(X)
      ZF = CMPLX(X, -X)
      END
      INTEGER FUNCTION NOARG()
      SAVE N
      DATA N /0/
      N = N + 1
      NOARG = N
      END
