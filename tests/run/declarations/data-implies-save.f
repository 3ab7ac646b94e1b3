C A variable given by DATA keeps its value between calls.
      PROGRAM DATASV
      INTEGER TALLY, I
      DO 10 I = 1, 3
   10 PRINT *, TALLY(I)
      END
      INTEGER FUNCTION TALLY(K)
      INTEGER N, K, H(3)
      DATA N / 100 /, H / 3*0 /
      N = N + K
      H(K) = H(K) + N
      TALLY = N * 1000 + H(1) + H(2) + H(3)
      END
