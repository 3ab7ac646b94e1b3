C     OPEN of a file that is not there
      PROGRAM E6
      OPEN(33,FILE='nofile',STATUS='OLD')
      END
