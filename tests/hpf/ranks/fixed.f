C     Fixed form: jumps out of loops, arithmetic IF, computed GOTO.
      PROGRAM FIXED
      DIMENSION A(10), IB(10)
CHPF$ DISTRIBUTE A(BLOCK)
CHPF$ DISTRIBUTE IB(CYCLIC)
      DO 10 I = 1, 10
      A(I) = FLOAT(I) - 4.0
   10 IB(I) = MOD(I, 4)
      DO 60 I = 1, 10
      IF (A(I)) 20, 30, 40
   20 A(I) = -A(I)
      GOTO 60
   30 A(I) = 99.0
      GOTO 60
   40 GOTO (50, 55, 56), IB(I)
      A(I) = A(I) + 0.5
      GOTO 60
   50 A(I) = A(I) + 10.0
      GOTO 60
   55 A(I) = A(I) + A(I - 1)
      GOTO 60
   56 IF (A(I) .GT. 5.5) GOTO 70
   60 CONTINUE
   70 WRITE (*, 80) I, A
   80 FORMAT (I4, 10F7.1)
      END
