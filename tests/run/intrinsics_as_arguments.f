      PROGRAM SPEC
C     Intrinsic functions of every type as actual arguments.
      INTRINSIC CABS, CSQRT, CEXP, CLOG, CSIN, CCOS, CONJG, AIMAG
      INTRINSIC DPROD, LEN, INDEX, SIN, DSQRT, IABS, MOD, SIGN
      COMPLEX Z
      Z = (1.5, -2.25)
      CALL SHOWC('CSQRT', CSQRT, Z)
      CALL SHOWC('CEXP', CEXP, Z)
      CALL SHOWC('CLOG', CLOG, Z)
      CALL SHOWC('CSIN', CSIN, Z)
      CALL SHOWC('CCOS', CCOS, Z)
      CALL SHOWC('CONJG', CONJG, Z)
      CALL SHOWR('CABS', CABS, Z)
      CALL SHOWR('AIMAG', AIMAG, Z)
      CALL SHOWD(DPROD)
      CALL SHOWL(LEN, 'seven77')
      CALL SHOWX(INDEX, 'a needle in hay', 'needle')
      CALL SHOWS(SIN, 0.5)
      CALL SHOWQ(DSQRT, 2D0)
      CALL SHOWI(IABS, -7)
      CALL SHOWM(MOD, 17, 5)
      CALL SHOWG(SIGN, 3.0, -1.0)
      END
      SUBROUTINE SHOWC(NAME, F, Z)
      CHARACTER*(*) NAME
      COMPLEX F, Z
      EXTERNAL F
      WRITE (*, '(A6,2F10.5)') NAME, F(Z)
      END
      SUBROUTINE SHOWR(NAME, F, Z)
      CHARACTER*(*) NAME
      COMPLEX Z
      REAL F
      EXTERNAL F
      WRITE (*, '(A6,F10.5)') NAME, F(Z)
      END
      SUBROUTINE SHOWD(F)
      DOUBLE PRECISION F
      EXTERNAL F
      WRITE (*, '(A6,F20.15)') 'DPROD', F(1.1, 2.2)
      END
      SUBROUTINE SHOWL(F, S)
      INTEGER F
      EXTERNAL F
      CHARACTER*(*) S
      WRITE (*, '(A6,I4)') 'LEN', F(S)
      END
      SUBROUTINE SHOWX(F, S, T)
      INTEGER F
      EXTERNAL F
      CHARACTER*(*) S, T
      WRITE (*, '(A6,I4)') 'INDEX', F(S, T)
      END
      SUBROUTINE SHOWS(F, X)
      WRITE (*, '(A6,F10.5)') 'SIN', F(X)
      END
      SUBROUTINE SHOWQ(F, X)
      DOUBLE PRECISION F, X
      WRITE (*, '(A6,F20.15)') 'DSQRT', F(X)
      END
      SUBROUTINE SHOWI(K, I)
      WRITE (*, '(A6,I4)') 'IABS', K(I)
      END
      SUBROUTINE SHOWM(K, I, J)
      WRITE (*, '(A6,I4)') 'MOD', K(I, J)
      END
      SUBROUTINE SHOWG(F, X, Y)
      WRITE (*, '(A6,F6.2)') 'SIGN', F(X, Y)
      END
