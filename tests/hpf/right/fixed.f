C     The sentinels of fixed form, with continuations.
      PROGRAM FIXED
      INTEGER I
      REAL A(16), B(16), S
CHPF$ PROCESSORS P(4)
!HPF$ DISTRIBUTE A(BLOCK) ONTO P
*HPF$ ALIGN B(I) WITH
*HPF$*A(I)
      S = 0.0
CHPF$ INDEPENDENT
      DO 10 I = 1, 16
        A(I) = I
   10 CONTINUE
CHPF$ INDEPENDENT, REDUCTION(S)
      DO 20 I = 1, 16
        B(I) = A(I)
        S = S + B(I)
   20 CONTINUE
      PRINT *, NINT(S)
      END
