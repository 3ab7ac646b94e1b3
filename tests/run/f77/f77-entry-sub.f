C     ENTRY in a subroutine, with other arguments
      PROGRAM ENTSUB
      INTEGER N
      CALL INIT(3)
      CALL ADD(4)
      CALL ADD(5)
      CALL GET(N)
      PRINT *, N
      CALL BOTH(1, 2, N)
      PRINT *, N
      END
      SUBROUTINE INIT(I)
      INTEGER I, J, K, TOTAL
      SAVE TOTAL
      TOTAL = I
      RETURN
      ENTRY ADD(J)
      TOTAL = TOTAL + J
      RETURN
      ENTRY GET(K)
      K = TOTAL
      RETURN
      ENTRY BOTH(I, J, K)
      K = I*100 + J*10 + TOTAL
      END
