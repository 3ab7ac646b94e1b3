C     PAUSE waits for a line
      PROGRAM P
      PRINT *, 'before'
      PAUSE
      PAUSE 'text'
      PAUSE 7
      PRINT *, 'after'
      END
