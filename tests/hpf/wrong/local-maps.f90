! Local maps.
! expect error T0451 8 6: of an HPF_LOCAL procedure is mapped
program wrong
  call s
end program
extrinsic(hpf_local) subroutine s
  real :: a(10)
!HPF$ DISTRIBUTE a(BLOCK)
  a = 1
end subroutine
