C     ASSIGN of FORMAT labels, used in PRINT and in an internal WRITE.
      PROGRAM MAIN
      INTEGER F, K
      CHARACTER*12 LINE
      DO 30 K = 1, 3
      IF (MOD(K,2) .EQ. 0) THEN
        ASSIGN 10 TO F
      ELSE
        ASSIGN 20 TO F
      END IF
      PRINT F, K
      WRITE (LINE, F) K*11
      PRINT *, LINE
30    CONTINUE
10    FORMAT (' EVEN ', I4)
20    FORMAT (' ODD  ', I4.3)
      END
