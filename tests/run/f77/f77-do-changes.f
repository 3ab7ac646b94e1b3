C     DO: the trip count is fixed at entry; the variable keeps its value; jumps to the end and out.
      PROGRAM MAIN
      INTEGER N, S
      N = 3
      M = 0
      DO 10 I = 1, N
      N = 10
      M = M + 1
10    CONTINUE
      PRINT *, I, N, M
      S = 2
      DO 20 J = 10, 1, -S
      S = 5
20    CONTINUE
      PRINT *, J
      DO 30 K = 5, 1
30    PRINT *, 'NO'
      PRINT *, K
      DO 40 L = 1, 10
      IF (L*L .GT. 20) GO TO 50
40    CONTINUE
50    PRINT *, L
      DO 60 I = 1, 2
      DO 60 J = 1, 3
      IF (J .EQ. 2) GO TO 60
      PRINT *, I, J
60    CONTINUE
      END
