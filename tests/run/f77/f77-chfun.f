C     FORTRAN 77: chfun
      CHARACTER*(*) FUNCTION REP(C, N)
      CHARACTER*1 C
      INTEGER N
      REP = ' '
      DO 10 I = 1, N
   10 REP(I:I) = C
      END
      CHARACTER*(*) FUNCTION HEAD(S)
      CHARACTER*(*) S
      HEAD = S(1:2)
      RETURN
      END
      PROGRAM P
      CHARACTER*8 REP
      CHARACTER*4 HEAD
      EXTERNAL REP
      PRINT *, REP('x', 3), '|'
      PRINT *, HEAD('hello') // '|', LEN(HEAD('abc'))
      CALL Q(REP)
      END
      SUBROUTINE Q(F)
      CHARACTER*8 F
      PRINT *, F('y', 5), '|'
      END
