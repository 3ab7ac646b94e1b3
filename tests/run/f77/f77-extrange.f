C     Extended range of a DO
      PROGRAM XR
      DO 10 I = 1, 3
      IF (I .EQ. 2) GOTO 100
   5  PRINT *, 'in loop', I
   10 CONTINUE
      GOTO 200
  100 PRINT *, 'outside', I
      GOTO 5
  200 PRINT *, 'done'
      END
