C     A run-time format without an end
      PROGRAM E5
      CHARACTER*10 F
      F = '(I5'
      WRITE(*,F) 5
      END
