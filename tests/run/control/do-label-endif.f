C A labelled DO that ends on END DO, and one whose END IF stands before.
      PROGRAM LABELS
      INTEGER I, J, N
      N = 0
      DO 10 I = 1, 5
        IF (I .GT. 2) THEN
          DO 20, J = 1, I
            N = N + J
   20     END DO
        ELSE
          N = N + 1000
        END IF
   10 END DO
      PRINT *, N, I, J
      END
