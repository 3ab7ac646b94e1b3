C     End of file without a handler
      PROGRAM E2
      READ(*,*) I
      PRINT *, I
      READ(*,*) J
      END
