C Adjustable arrays: bounds from arguments and COMMON, lower bounds too.
      PROGRAM ADJ
      REAL A(12), B(3, 4)
      COMMON /DIM/ LDB
      LDB = 3
      DO 10 I = 1, 12
   10 A(I) = I
      CALL SHOW(A, 3, 4)
      CALL SHOW(A, 4, 3)
      CALL LOW(A, -1, 2)
      CALL LOW(A(5), 0, 3)
      CALL COM(B, 4)
      PRINT *, B
      END
      SUBROUTINE SHOW(V, M, N)
      INTEGER M, N
      REAL V(M, N)
      PRINT *, V(M, 1), V(1, N), V(2, 2)
      M1 = M
      DO 10 J = 1, N
   10 V(1, J) = V(1, J) + 0.5
      END
      SUBROUTINE LOW(V, LO, HI)
      INTEGER LO, HI
      REAL V(LO:HI)
      PRINT *, V(LO), V(HI), LO, HI
      PRINT *, (V(I), I = LO, HI)
      END
      SUBROUTINE COM(V, N)
      COMMON /DIM/ LDV
      REAL V(LDV, N)
      DO 20 J = 1, N
      DO 20 I = 1, LDV
   20 V(I, J) = I * 10 + J
      END
