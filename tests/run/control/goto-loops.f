C Loops made of GOTO alone, one inside the other.
      PROGRAM GLOOPS
      INTEGER I, J, N
      N = 0
      I = 1
   10 J = I
   20 N = N + I * J
      J = J - 1
      IF (J .GE. 1) GOTO 20
      I = I + 1
      IF (I .LE. 5) GOTO 10
      PRINT *, N, I, J
      GOTO 40
   30 PRINT *, 'BACK'
      STOP
   40 PRINT *, 'FORWARD'
      GO TO 30
      END
