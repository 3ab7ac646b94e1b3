C A COMMON block that is larger in another procedure.
      PROGRAM CSIZE
      COMMON /S/ A(2)
      COMMON /S/ B(2)
      COMMON // P, Q
      A(1) = 1.0
      A(2) = 2.0
      B(1) = 3.0
      B(2) = 4.0
      P = 5.0
      Q = 6.0
      CALL MORE
      PRINT *, A, B, P, Q
      END
      SUBROUTINE MORE
      COMMON /S/ V(4)
      COMMON R, S
      DO 10 I = 1, 4
   10 V(I) = V(I) * V(I)
      R = R + S
      END
