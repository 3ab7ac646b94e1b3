C     ENTRY with alternate returns and arrays
      PROGRAM E5
      INTEGER R(2)
      CALL A(1, *10, *20)
      PRINT *, 'normal'
   10 PRINT *, 'ten'
   20 CALL B(2, R, *30, *40)
   30 PRINT *, 'no'
   40 PRINT *, R
      CALL C(R, 2)
      END
      SUBROUTINE A(I, *, *)
      INTEGER I, R(*), V(N)
      CHARACTER*(*) S
      PRINT *, 'a', I
      RETURN I
      ENTRY B(I, R, *, *)
      R(1) = I
      R(2) = I*10
      RETURN 2
      ENTRY C(V, N)
      PRINT *, V, N
      RETURN
      ENTRY D(S)
      PRINT *, S
      END
      SUBROUTINE P(S)
      CHARACTER*(*) S
      END
