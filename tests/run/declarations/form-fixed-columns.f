C Labels anywhere in columns 1 to 5; blanks and zeros in labels.
      PROGRAM COLS
      I = 0
    1 I = I + 1
 002  I = I + 1
1 0 0 CONTINUE
      IF (I .LT. 3) GO TO 1
      IF (I .LT. 5) GO TO 00002
      IF (I .LT. 9) GO TO 200
      PRINT *, 'ONCE'
 0200 I = I * 10
      IF (I .EQ. 50) GO TO 1 00
      PRINT *, I
      END
