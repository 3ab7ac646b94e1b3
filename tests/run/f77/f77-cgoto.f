C     FORTRAN 77: cgoto
      PROGRAM CG
      DO 50 I = 0, 4
      GOTO (10,20,30), I
      PRINT *, I, 'none'
      GOTO 50
   10 PRINT *, 'ten'
      GO TO 50
   20 PRINT *, 'twenty'
      GO TO 50
   30 PRINT *, 'thirty'
   50 CONTINUE
      X = 2.7
      GOTO (60,70,80) INT(X)
   60 PRINT *, 60
   70 PRINT *, 70
   80 PRINT *, 80
      END
