C     Specific names of intrinsic functions as arguments: complex, characters, DPROD
      PROGRAM P
      INTRINSIC CABS, CCOS, CEXP, CLOG, CSIN, CSQRT, AIMAG, CONJG, DPROD
      INTRINSIC INDEX, LEN, IDNINT, NINT, ANINT, DNINT, DINT, AINT, AMOD
      INTRINSIC DMOD, DDIM, IDIM, DSIGN, ISIGN, MOD, DATAN2, ACOSH
      INTRINSIC IABS, ICHAR, LLE, CHAR
      COMPLEX Z, CC
      EXTERNAL CC
      Z = (1., 2.)
      CALL RC(CABS, Z)
      CALL RC(AIMAG, Z)
      CALL CF(CCOS, Z)
      CALL CF(CEXP, Z)
      CALL CF(CLOG, Z)
      CALL CF(CSIN, Z)
      CALL CF(CSQRT, Z)
      CALL CF(CONJG, Z)
      CALL DP(DPROD, 2., 3.)
      CALL IX(INDEX, 'abcdef', 'cd')
      CALL LN(LEN, 'abcdef')
      CALL RR(ACOSH, 2.)
      CALL ID(IDNINT, 2.7D0)
      END
      SUBROUTINE RC(F, Z)
      COMPLEX Z
      PRINT '(F8.4)', F(Z)
      END
      SUBROUTINE CF(F, Z)
      COMPLEX Z, F
      PRINT '(2F8.4)', F(Z)
      END
      SUBROUTINE DP(F, A, B)
      DOUBLE PRECISION F
      PRINT '(F8.4)', F(A, B)
      END
      SUBROUTINE IX(F, A, B)
      INTEGER F
      CHARACTER*(*) A, B
      PRINT *, F(A, B)
      END
      SUBROUTINE LN(F, A)
      INTEGER F
      CHARACTER*(*) A
      PRINT *, F(A)
      END
      SUBROUTINE RR(F, A)
      PRINT '(F8.4)', F(A)
      END
      SUBROUTINE DD(F, A)
      DOUBLE PRECISION F, A
      PRINT '(F8.4)', F(A)
      END
      SUBROUTINE ID(F, A)
      INTEGER F
      DOUBLE PRECISION A
      PRINT *, F(A)
      END
