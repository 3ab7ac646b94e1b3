C     Block IF with many ELSE IF, nested, with jumps out of them.
      PROGRAM MAIN
      DO 100 I = 1, 7
      IF (I .EQ. 1) THEN
        PRINT *, I, ' ONE'
      ELSE IF (I .LE. 3) THEN
        IF (I .EQ. 3) THEN
          PRINT *, I, ' THREE'
        ELSE
          PRINT *, I, ' TWO'
        END IF
      ELSEIF (I .EQ. 4) THEN
        GO TO 100
      ELSE IF (I .GT. 6) THEN
        PRINT *, I, ' LAST'
      ELSE
        PRINT *, I, ' ELSE'
      ENDIF
      PRINT *, 'END', I
100   CONTINUE
      END
