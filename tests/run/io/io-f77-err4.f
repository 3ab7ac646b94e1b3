C     A bad integer without a handler
      PROGRAM E4
      PRINT *, 'x'
      READ(*,'(I4)') I
      END
