! HPF directives about names that are not declared or are of the wrong sort.
program directive_names
  implicit none
  integer :: a(8), s
!HPF$ PROCESSORS p(2)
!HPF$ TEMPLATE t(8)
!HPF$ DISTRIBUTE nothing(BLOCK)
!HPF$ DISTRIBUTE a(BLOCK) ONTO nobody
!HPF$ ALIGN a(i) WITH nowhere(i)
!HPF$ DISTRIBUTE s(BLOCK)
!HPF$ DISTRIBUTE t(BLOCK) ONTO a
!HPF$ DISTRIBUTE p(BLOCK)
  a = 1
end program
