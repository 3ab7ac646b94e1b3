! Extrinsic kind.
! expect error T0143 6 -: Unknown kind
program wrong
  call s
end program
extrinsic(hpf_craft) subroutine s
end subroutine
