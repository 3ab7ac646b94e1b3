! HPF directives with the wrong number of dimensions.
program directive_ranks
  implicit none
  integer :: a(8, 8), b(8), c(8)
!HPF$ PROCESSORS p(2), q(2, 2)
!HPF$ TEMPLATE t(8, 8)
!HPF$ DISTRIBUTE a(BLOCK)
!HPF$ DISTRIBUTE b(BLOCK, BLOCK)
!HPF$ ALIGN c(i, j) WITH t(i, j)
!HPF$ DISTRIBUTE t(BLOCK, BLOCK) ONTO p
  a = 1
end program
