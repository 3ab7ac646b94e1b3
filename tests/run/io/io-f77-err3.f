C     A descriptor of another type
      PROGRAM E3
      WRITE(*,'(I5)') 2.5
      END
