C     Blanks inside of keywords, names and numbers mean nothing in fixed form.
      PRO GRAM MAIN
      IN TEGER CO UNT
      RE AL X Y Z(1 0)
      D O 1 0 I = 1, 1 0
      XYZ( I ) = 1 . 5 E 0 * I
1 0   CONT INUE
      CO U NT = 0
      DO 20 I = 1 , 1 0 , 3
      IF ( XYZ (I) .G T. 3. 0 ) TH EN
        COUNT = C OUNT + 1
      END I F
20    CONTINUE
      G O T O 3 0
      PRINT *, 'NO'
3 0   PRI NT *, COUNT, XY Z(4), 'A B C'
      DO40J=1,2
40    PRINT*,J
      DO50K=1.2
50    PRINT*,DO50K
      E ND
