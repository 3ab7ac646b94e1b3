C STOP inside a subroutine ends the whole program.
      PROGRAM PLAIN
      CALL INNER
      PRINT *, 'NOT REACHED'
      END
      SUBROUTINE INNER
      PRINT *, 'INNER'
      STOP
      END
