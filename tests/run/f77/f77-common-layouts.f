C     One COMMON block with different layouts in three units, and blank COMMON.
      PROGRAM MAIN
      COMMON /L/ I, J, X, Y
      COMMON A(4)
      I = 1
      J = 2
      X = 3.
      Y = 4.
      DO 10 K = 1, 4
10    A(K) = K*K
      CALL ONE
      CALL TWO
      PRINT *, I, J, X, Y, A
      END
      SUBROUTINE ONE
      COMMON /L/ N(2), Z(2) // P, Q(3)
      N(2) = N(1) + 10
      Z(1) = Z(2) + 10.
      Q(3) = P + Q(1)
      END
      SUBROUTINE TWO
      COMMON B, C /L/ I, J // D, E
      D = B + C + I
      I = J
      END
