      PROGRAM P
      INTEGER I
      I = 0
      CALL S(I)
      PRINT *, I
      IF (I .GT. 0) GO TO 99
      PRINT *, 'NOT REACHED'
   99 END
      SUBROUTINE S(I)
      INTEGER I
      DO 10 I = 1, 10
   10 IF (I .EQ. 5) GO TO 330
      I = -1
  330 END
      INTEGER FUNCTION F(K)
      F = K
      GO TO (20, 30), K
   20 F = 7
   30 END FUNCTION
      SUBROUTINE T
      RETURN
   40 END
