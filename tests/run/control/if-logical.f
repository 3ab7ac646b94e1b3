C Logical IF with every kind of statement after it.
      PROGRAM IFLOG
      INTEGER I, K
      LOGICAL L
      K = 0
      DO 10 I = 1, 6
        L = I .GT. 3
        IF (L) K = K + I
        IF (.NOT. L) PRINT *, 'SMALL', I
        IF (I .EQ. 2) CALL TWO(K)
        IF (I .EQ. 5) GO TO 20
   10 CONTINUE
      PRINT *, 'NOT REACHED'
   20 PRINT *, I, K
      IF (K .EQ. 0) STOP
      IF (I .EQ. 5 .AND. K .GT. 0 .OR. L) PRINT *, 'YES'
      END
      SUBROUTINE TWO(K)
      INTEGER K
      IF (K .GT. 100) RETURN
      K = K + 1000
      END
