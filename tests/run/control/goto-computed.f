C Computed GOTO: every branch, repeated labels, and out of range values.
      PROGRAM COMPGO
      INTEGER I
      DO 60 I = -1, 6
        GO TO (10, 20, 30, 10), I
        PRINT *, I, ' FALLS THROUGH'
        GO TO 60
   10   PRINT *, I, ' TEN'
        GO TO 60
   20   PRINT *, I, ' TWENTY'
        GOTO 60
   30   PRINT *, I, ' THIRTY'
   60 CONTINUE
      I = 2
      GO TO (70, 80) I * 2 - 2
   70 PRINT *, 'SEVENTY'
   80 PRINT *, 'EIGHTY'
      END
