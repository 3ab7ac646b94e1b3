C INCLUDE in fixed form; the included file includes another.
      PROGRAM INCL
      INCLUDE 'include/outer.inc'
      A(1) = 1
      A(NSIZE) = NSIZE
      PRINT *, A(1), A(NSIZE), NSIZE
      END
