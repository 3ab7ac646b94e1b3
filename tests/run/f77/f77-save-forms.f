C     SAVE of variables, arrays and COMMON blocks, and DATA in a procedure that is called again.
      PROGRAM MAIN
      DO 10 I = 1, 3
10    CALL COUNT(I)
      END
      SUBROUTINE COUNT(I)
      COMMON /KEPT/ L
      SAVE N, V, /KEPT/
      INTEGER V(3)
      DATA N /100/, V /3*0/, M /7/
      N = N + 1
      V(I) = N
      M = M*2
      L = L + I
      PRINT *, N, V, M
      END
      BLOCK DATA
      COMMON /KEPT/ L
      DATA L /0/
      END
