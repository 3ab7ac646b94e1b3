C No word is reserved: assignments that look like other statements.
      PROGRAM TRAPS
      INTEGER IF(3), DO, END, WRITE, FORMAT, GOTO5, REAL
      INTEGER CALLX, RETURN, STOP, PRINT
      IF(2) = 4
      DO = 1
      END = 2
      WRITE = 3
      GOTO5 = 5
      CALLX = 6
      RETURN = 7
      STOP = 8
      PRINT = 9
      REAL = 10
      FORMAT = 11
      IF(1) = IF(2) + DO
      IF (IF(1) .EQ. 5) IF(3) = 12
      PRINT *, IF, DO, END, WRITE, GOTO5, CALLX
      PRINT *, RETURN, STOP, PRINT, REAL, FORMAT
      END
