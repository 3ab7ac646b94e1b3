C Procedures without arguments, with and without brackets; many in a row.
      PROGRAM NOARGS
      INTEGER SEED, NEXT
      COMMON /RND/ SEED
      SEED = 12345
      CALL INIT
      CALL INIT()
      DO 10 I = 1, 4
   10 PRINT *, NEXT(), SEED
      END
      SUBROUTINE INIT
      INTEGER SEED
      COMMON /RND/ SEED
      SEED = MOD(SEED * 3, 10007)
      END
      INTEGER FUNCTION NEXT()
      INTEGER SEED
      COMMON /RND/ SEED
      SEED = MOD(SEED * 16807, 32749)
      NEXT = MOD(SEED, 6) + 1
      RETURN
      END
