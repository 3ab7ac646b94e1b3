C The three sentinels of HPF in fixed form; the directives change nothing.
      PROGRAM HPFFIX
      REAL A(8, 8), B(8, 8)
CHPF$ PROCESSORS P(2)
CHPF$ DISTRIBUTE A(BLOCK, *) ONTO P
*HPF$ ALIGN B(I, J) WITH A(I, J)
      DO 10 J = 1, 8
!HPF$ INDEPENDENT
      DO 10 I = 1, 8
        A(I, J) = I + J
   10 B(I, J) = A(I, J) * 0.5
      PRINT *, A(1, 1), B(8, 8), SUM(B)
      END
