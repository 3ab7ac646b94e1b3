C     ASSIGN, assigned GOTO, assigned FORMAT
      PROGRAM ASG
      INTEGER L, F
      ASSIGN 10 TO L
      ASSIGN 900 TO F
    5 GOTO L, (10, 20, 30)
   10 PRINT F, 10
      ASSIGN 20 TO L
      GOTO 5
   20 WRITE(*, F) 20
      ASSIGN 30 TO L
      ASSIGN 910 TO F
      GOTO L
   30 WRITE(6, FMT=F) 30
  900 FORMAT(' A', I5)
  910 FORMAT(' B', I8)
      END
