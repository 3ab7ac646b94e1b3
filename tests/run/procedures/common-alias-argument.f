C A COMMON variable passed as an argument that the callee does not change.
      PROGRAM CARG
      COMMON /C/ N, V(3)
      INTEGER N, V
      N = 1
      V(1) = 10
      V(2) = 20
      V(3) = 30
      CALL SHOW(N, V(2))
      N = 3
      CALL SHOW(N, V(N))
      END
      SUBROUTINE SHOW(K, W)
      INTEGER K, W
      COMMON /C/ N, V(3)
      INTEGER N, V
      PRINT *, K, W, N, V
      V(1) = V(1) + W
      END
